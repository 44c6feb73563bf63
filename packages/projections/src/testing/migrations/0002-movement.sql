CREATE TABLE movement (position bigint PRIMARY KEY);
