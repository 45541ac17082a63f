#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "sim/files/hdf5_file.hpp"

// The attributes of an Hdf5File.
namespace coterie::sim {

void Hdf5File::write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space,
                               const void* data) {
  Hdf5Handle made(
      H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  checked(made.get(), fmt::format("creating attribute \"{}\"", name));
  const std::string what = fmt::format("writing attribute \"{}\" (disk full?)", name);
  checked(H5Awrite(made.get(), type, data), what);
  checked(H5Aclose(made.release()), what);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const char* raw = value.c_str();
  write_attribute(object, name, type.get(), space.get(), &raw);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, double value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_attribute(object, name, H5T_NATIVE_DOUBLE, space.get(), &value);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values) {
  const hsize_t length = values.size();
  const Hdf5Handle space(length == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr), H5Sclose);
  write_attribute(object, name, H5T_NATIVE_INT64, space.get(), values.data());
}

void Hdf5File::attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values) {
  const Hdf5Handle type = text_type();
  const hsize_t length = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  const auto raw = text_pointers(values);
  write_attribute(object, name, type.get(), space.get(), raw.data());
}

bool Hdf5File::has_attribute(const std::string& name) const {
  return checked(H5Aexists(file_.get(), name.c_str()), fmt::format("looking for attribute \"{}\"", name)) > 0;
}

std::vector<std::string> Hdf5File::texts_attribute(const std::string& name) const {
  const Hdf5Handle made(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  checked(made.get(), fmt::format("reading attribute \"{}\"", name));
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(H5Aget_space(made.get()), H5Sclose);
  const std::string what = fmt::format("reading attribute \"{}\"", name);
  std::vector<char*> raw(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()), what)), nullptr);
  checked(H5Aread(made.get(), type.get(), raw.data()), what);
  return taken_texts(raw, type.get(), space.get());
}

std::string Hdf5File::text_attribute(const std::string& name) const {
  const auto texts = texts_attribute(name);
  return texts.empty() ? "" : texts.front();
}

double Hdf5File::double_attribute(const std::string& name) const {
  const Hdf5Handle made(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  checked(made.get(), fmt::format("reading attribute \"{}\"", name));
  const Hdf5Handle space(H5Aget_space(made.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(fmt::format("attribute \"{}\" is not one number: the file is damaged", name));
  double value = 0;
  checked(H5Aread(made.get(), H5T_NATIVE_DOUBLE, &value), fmt::format("reading attribute \"{}\"", name));
  return value;
}

std::vector<std::int64_t> Hdf5File::integers_attribute(const std::string& name) const {
  const Hdf5Handle made(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  checked(made.get(), fmt::format("reading attribute \"{}\"", name));
  const Hdf5Handle space(H5Aget_space(made.get()), H5Sclose);
  const std::string what = fmt::format("reading attribute \"{}\"", name);
  std::vector<std::int64_t> values(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()), what)));
  checked(H5Aread(made.get(), H5T_NATIVE_INT64, values.data()), what);
  return values;
}

std::vector<std::string> Hdf5File::text_attributes() const {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5A_info_t*, void* list) { return listed(name, list); };
  checked(H5Aiterate2(file_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &names), "listing its attributes");
  std::sort(names.begin(), names.end());
  std::erase_if(names, [&](const std::string& name) {
    const Hdf5Handle made(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(H5Aget_type(checked(made.get(), fmt::format("opening attribute \"{}\"", name))), H5Tclose);
    const Hdf5Handle space(H5Aget_space(made.get()), H5Sclose);
    const std::string what = fmt::format("asking for the type of attribute \"{}\"", name);
    return checked(H5Tis_variable_str(type.get()), what) == 0 ||
           checked(H5Sget_simple_extent_npoints(space.get()), what) == 0;
  });
  return names;
}

}  // namespace coterie::sim
