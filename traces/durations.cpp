namespace coterie::traces {}
