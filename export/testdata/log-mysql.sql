SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',NO_BACKSLASH_ESCAPES');
SET NAMES utf8mb4;
CREATE TABLE IF NOT EXISTS CounterData (GUID char(36) CHARACTER SET ascii NOT NULL, CounterID int NOT NULL, RecordIndex int NOT NULL, CounterDateTime datetime(3), CounterValue double NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int, PRIMARY KEY (GUID, CounterID, RecordIndex));
CREATE TABLE IF NOT EXISTS CounterDetails (CounterID int NOT NULL AUTO_INCREMENT PRIMARY KEY, KEY (ObjectName(64), CounterName(64), InstanceName(64)), MachineName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, ObjectName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, CounterName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, CounterType int, DefaultScale int, InstanceName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, InstanceIndex int, ParentName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, ParentObjectID int, TimeBaseA int, TimeBaseB int);
CREATE TABLE IF NOT EXISTS DisplayToID (GUID char(36) CHARACTER SET ascii NOT NULL PRIMARY KEY, RunID int, DisplayString varchar(700) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL UNIQUE, LogStartTime datetime(3), LogStopTime datetime(3), NumberOfRecords int, MinutesToUTC int, TimeZoneName varchar(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin);
DROP TEMPORARY TABLE IF EXISTS perfdump_counter;
DROP TEMPORARY TABLE IF EXISTS perfdump_data;
CREATE TEMPORARY TABLE perfdump_counter (Number int NOT NULL PRIMARY KEY, CounterID int, MachineName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, ObjectName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, CounterName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, CounterType int, DefaultScale int, InstanceName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, InstanceIndex int, ParentName varchar(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, TimeBaseA int, TimeBaseB int);
CREATE TEMPORARY TABLE perfdump_data (GUID char(36) CHARACTER SET ascii NOT NULL, Number int NOT NULL, RecordIndex int NOT NULL, CounterDateTime datetime(3), CounterValue double NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int);
BEGIN;
INSERT INTO perfdump_counter VALUES
(1,NULL,'\\web01','Processor','% Processor Time',272696320,0,'_Total',0,NULL,10000000,0),
(2,NULL,'\\web01','Memory','Available MBytes',272696320,0,NULL,NULL,NULL,10000000,0),
(3,NULL,'\\web01','Process','Bytes Total/sec',272696320,0,'svchost',0,NULL,10000000,0);
INSERT INTO perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,1,'2020-03-18 19:05:41.123',0,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,1,'2020-03-18 19:05:41.123',4096,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,1,'2020-03-18 19:05:41.123',0,2,256,2,-2147483648,0);
INSERT INTO perfdump_counter VALUES
(4,NULL,'\\web01','Process','Bytes Total/sec',272696320,0,'svchost',1,NULL,10000000,0),
(5,NULL,'\\web01','Thread','50% of ''C:\''',272696320,0,'x, "y"=z\',0,'a (b)',10000000,0);
INSERT INTO perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,2,'2020-03-18 19:05:56.123',86.93735103284412,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,2,'2020-03-18 19:05:56.123',4095,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,2,'2020-03-18 19:05:56.123',0.10000000000000001,2,256,2,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',4,2,'2020-03-18 19:05:56.123',1e+17,3,256,3,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',5,2,'2020-03-18 19:05:56.123',-9.9999999999999995e-08,4,256,4,-2147483648,0);
INSERT INTO perfdump_counter VALUES
(6,NULL,'','=cmd|'' /C calc''!A0','日本	x',272696320,0,'line
end[31m�',0,NULL,10000000,0);
INSERT INTO perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,3,'2020-03-18 19:06:11.123',100,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,3,'2020-03-18 19:06:11.123',0.33333333333333331,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,3,'2020-03-18 19:06:11.123',0,2,256,2,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',5,3,'2020-03-18 19:06:11.123',0,4,256,4,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',6,3,'2020-03-18 19:06:11.123',7,5,256,5,-2147483648,0);
INSERT INTO CounterDetails (MachineName, ObjectName, CounterName, CounterType, DefaultScale, InstanceName, InstanceIndex, ParentName, TimeBaseA, TimeBaseB)
SELECT MachineName, ObjectName, CounterName, CounterType, DefaultScale, InstanceName, InstanceIndex, ParentName, TimeBaseA, TimeBaseB FROM perfdump_counter
WHERE CounterID IS NULL AND NOT EXISTS (SELECT 1 FROM CounterDetails d WHERE d.ObjectName <=> perfdump_counter.ObjectName AND CHAR_LENGTH(d.ObjectName) <=> CHAR_LENGTH(perfdump_counter.ObjectName) AND d.CounterName <=> perfdump_counter.CounterName AND CHAR_LENGTH(d.CounterName) <=> CHAR_LENGTH(perfdump_counter.CounterName) AND d.InstanceName <=> perfdump_counter.InstanceName AND CHAR_LENGTH(d.InstanceName) <=> CHAR_LENGTH(perfdump_counter.InstanceName) AND d.InstanceIndex <=> perfdump_counter.InstanceIndex AND CHAR_LENGTH(d.InstanceIndex) <=> CHAR_LENGTH(perfdump_counter.InstanceIndex) AND d.ParentName <=> perfdump_counter.ParentName AND CHAR_LENGTH(d.ParentName) <=> CHAR_LENGTH(perfdump_counter.ParentName) AND d.MachineName <=> perfdump_counter.MachineName AND CHAR_LENGTH(d.MachineName) <=> CHAR_LENGTH(perfdump_counter.MachineName)) ORDER BY Number;
UPDATE perfdump_counter SET CounterID = (SELECT MIN(d.CounterID) FROM CounterDetails d WHERE d.ObjectName <=> perfdump_counter.ObjectName AND CHAR_LENGTH(d.ObjectName) <=> CHAR_LENGTH(perfdump_counter.ObjectName) AND d.CounterName <=> perfdump_counter.CounterName AND CHAR_LENGTH(d.CounterName) <=> CHAR_LENGTH(perfdump_counter.CounterName) AND d.InstanceName <=> perfdump_counter.InstanceName AND CHAR_LENGTH(d.InstanceName) <=> CHAR_LENGTH(perfdump_counter.InstanceName) AND d.InstanceIndex <=> perfdump_counter.InstanceIndex AND CHAR_LENGTH(d.InstanceIndex) <=> CHAR_LENGTH(perfdump_counter.InstanceIndex) AND d.ParentName <=> perfdump_counter.ParentName AND CHAR_LENGTH(d.ParentName) <=> CHAR_LENGTH(perfdump_counter.ParentName) AND d.MachineName <=> perfdump_counter.MachineName AND CHAR_LENGTH(d.MachineName) <=> CHAR_LENGTH(perfdump_counter.MachineName)) WHERE CounterID IS NULL;
INSERT INTO CounterData (GUID, CounterID, RecordIndex, CounterDateTime, CounterValue, FirstValueA, FirstValueB, SecondValueA, SecondValueB, MultiCount)
SELECT v.GUID, c.CounterID, v.RecordIndex, v.CounterDateTime, v.CounterValue, v.FirstValueA, v.FirstValueB, v.SecondValueA, v.SecondValueB, v.MultiCount
FROM perfdump_data v JOIN perfdump_counter c ON c.Number = v.Number
WHERE NOT EXISTS (SELECT 1 FROM CounterData d WHERE d.GUID = v.GUID AND d.CounterID = c.CounterID AND d.RecordIndex = v.RecordIndex);
DELETE FROM perfdump_data;
DELETE FROM DisplayToID WHERE GUID = '734ab196-8913-8361-af5a-67dd903e41b7' AND NumberOfRecords < 3;
INSERT INTO DisplayToID (GUID, RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, TimeZoneName)
SELECT '734ab196-8913-8361-af5a-67dd903e41b7',0,CASE WHEN EXISTS (SELECT 1 FROM DisplayToID WHERE DisplayString = 'web''01.blg') THEN 'web''01.blg 734ab196-8913-8361-af5a-67dd903e41b7' ELSE 'web''01.blg' END,'2020-03-18 19:05:41.123','2020-03-18 19:06:11.123',3,420,'Pacific Daylight Time'
WHERE NOT EXISTS (SELECT 1 FROM DisplayToID WHERE GUID = '734ab196-8913-8361-af5a-67dd903e41b7');
COMMIT;
DROP TEMPORARY TABLE IF EXISTS perfdump_counter;
DROP TEMPORARY TABLE IF EXISTS perfdump_data;
