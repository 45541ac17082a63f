"""What the figures need of a result file: its axes, and the results of the configurations that have given values."""
import h5py
import numpy


class CampaignResult:
    """Opens FILE.h5 for reading. `strategies`: names in the order of the file."""

    def __init__(self, path):
        self.file = h5py.File(path, "r")
        if not self.file.attrs["complete"]:
            raise SystemExit(f"{path}: the run is not complete")
        self.strategies = [name.decode() for name in self.file["strategy"][:]]

    def axis(self, name):
        values = self.file[name][:]
        return numpy.array([value.decode() for value in values]) if values.dtype == object else values

    def configurations(self, **values):
        """Indices of the configurations whose axes have these values."""
        keep = numpy.ones(len(self.file["identity"]), dtype=bool)
        for name, value in values.items():
            keep &= self.axis(name) == value
        return numpy.flatnonzero(keep)

    def reference(self, configuration):
        return self.file["reference"][configuration]

    def ratio(self, configuration, strategy):
        return self.file["ratio"][configuration, self.strategies.index(strategy)]
