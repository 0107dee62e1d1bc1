CREATE TABLE CounterData (GUID char(36) NOT NULL, CounterID int NOT NULL, RecordIndex int NOT NULL, CounterDateTime char(24), CounterValue float NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int, PRIMARY KEY (GUID, CounterID, RecordIndex));
CREATE TABLE CounterDetails (CounterID int NOT NULL PRIMARY KEY, MachineName varchar(1024) NOT NULL, ObjectName varchar(1024) NOT NULL, CounterName varchar(1024) NOT NULL, CounterType int, DefaultScale int, InstanceName varchar(1024), InstanceIndex int, ParentName varchar(1024), ParentObjectID int, TimeBaseA int, TimeBaseB int);
CREATE TABLE DisplayToID (GUID char(36) NOT NULL PRIMARY KEY, RunID int, DisplayString varchar(1024) NOT NULL UNIQUE, LogStartTime char(24), LogStopTime char(24), NumberOfRecords int, MinutesToUTC int, TimeZoneName char(32));
BEGIN TRANSACTION;
INSERT INTO CounterDetails VALUES
(1,'\\web01','Processor','% Processor Time',272696320,0,'_Total',0,NULL,NULL,10000000,0),
(2,'\\web01','Memory','Available MBytes',272696320,0,NULL,NULL,NULL,NULL,10000000,0),
(3,'\\web01','Process','Bytes Total/sec',272696320,0,'svchost',0,NULL,NULL,10000000,0);
INSERT INTO CounterData VALUES
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',1,1,'2020-03-18 19:05:41.123',0,0,256,0,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',2,1,'2020-03-18 19:05:41.123',4096,NULL,NULL,NULL,NULL,NULL),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',3,1,'2020-03-18 19:05:41.123',0,2,256,2,-2147483648,0);
INSERT INTO CounterDetails VALUES
(4,'\\web01','Process','Bytes Total/sec',272696320,0,'svchost',1,NULL,NULL,10000000,0),
(5,'\\web01','Thread','50% of ''C:\''',272696320,0,'x, "y"=z\',0,'a (b)',NULL,10000000,0);
INSERT INTO CounterData VALUES
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',1,2,'2020-03-18 19:05:56.123',86.93735103284412,0,256,0,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',2,2,'2020-03-18 19:05:56.123',4095,NULL,NULL,NULL,NULL,NULL),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',3,2,'2020-03-18 19:05:56.123',0.10000000000000001,2,256,2,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',4,2,'2020-03-18 19:05:56.123',1e+17,3,256,3,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',5,2,'2020-03-18 19:05:56.123',-9.9999999999999995e-08,4,256,4,-2147483648,0);
INSERT INTO CounterDetails VALUES
(6,'','=cmd|'' /C calc''!A0','日本	x',272696320,0,'line
end[31m�',0,NULL,NULL,10000000,0);
INSERT INTO CounterData VALUES
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',1,3,'2020-03-18 19:06:11.123',100,0,256,0,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',2,3,'2020-03-18 19:06:11.123',0.33333333333333331,NULL,NULL,NULL,NULL,NULL),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',3,3,'2020-03-18 19:06:11.123',0,2,256,2,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',5,3,'2020-03-18 19:06:11.123',0,4,256,4,-2147483648,0),
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',6,3,'2020-03-18 19:06:11.123',7,5,256,5,-2147483648,0);
INSERT INTO DisplayToID VALUES
('adf615cd-12f8-8810-a0df-daf4dd9ea43c',0,'web''01.blg','2020-03-18 19:05:41.123','2020-03-18 19:06:11.123',3,420,'Pacific Daylight Time');
COMMIT;
