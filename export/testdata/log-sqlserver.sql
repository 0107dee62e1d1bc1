SET NOCOUNT ON;
SET XACT_ABORT ON;
IF OBJECT_ID(N'CounterData') IS NULL CREATE TABLE CounterData (GUID uniqueidentifier NOT NULL, CounterID int NOT NULL, RecordIndex int NOT NULL, CounterDateTime datetime2(3), CounterValue float NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int, PRIMARY KEY (GUID, CounterID, RecordIndex));
IF OBJECT_ID(N'CounterDetails') IS NULL CREATE TABLE CounterDetails (CounterID int IDENTITY(1,1) NOT NULL PRIMARY KEY, MachineName nvarchar(1024) NOT NULL, ObjectName nvarchar(1024) NOT NULL, CounterName nvarchar(1024) NOT NULL, CounterType int, DefaultScale int, InstanceName nvarchar(1024), InstanceIndex int, ParentName nvarchar(1024), ParentObjectID int, TimeBaseA int, TimeBaseB int);
IF OBJECT_ID(N'DisplayToID') IS NULL CREATE TABLE DisplayToID (GUID uniqueidentifier NOT NULL PRIMARY KEY, RunID int, DisplayString nvarchar(700) NOT NULL UNIQUE, LogStartTime datetime2(3), LogStopTime datetime2(3), NumberOfRecords int, MinutesToUTC int, TimeZoneName nvarchar(32));
IF OBJECT_ID(N'tempdb..#perfdump_counter') IS NOT NULL DROP TABLE #perfdump_counter;
IF OBJECT_ID(N'tempdb..#perfdump_data') IS NOT NULL DROP TABLE #perfdump_data;
CREATE TABLE #perfdump_counter (Number int NOT NULL PRIMARY KEY, CounterID int, MachineName nvarchar(1024) NOT NULL, ObjectName nvarchar(1024) NOT NULL, CounterName nvarchar(1024) NOT NULL, CounterType int, DefaultScale int, InstanceName nvarchar(1024), InstanceIndex int, ParentName nvarchar(1024), TimeBaseA int, TimeBaseB int);
CREATE TABLE #perfdump_data (GUID uniqueidentifier NOT NULL, Number int NOT NULL, RecordIndex int NOT NULL, CounterDateTime datetime2(3), CounterValue float NOT NULL, FirstValueA int, FirstValueB int, SecondValueA int, SecondValueB int, MultiCount int);
GO
BEGIN TRANSACTION;
INSERT INTO #perfdump_counter VALUES
(1,NULL,N'\\web01',N'Processor',N'% Processor Time',272696320,0,N'_Total',0,NULL,10000000,0),
(2,NULL,N'\\web01',N'Memory',N'Available MBytes',272696320,0,NULL,NULL,NULL,10000000,0),
(3,NULL,N'\\web01',N'Process',N'Bytes Total/sec',272696320,0,N'svchost',0,NULL,10000000,0);
INSERT INTO #perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,1,'2020-03-18 19:05:41.123',0,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,1,'2020-03-18 19:05:41.123',4096,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,1,'2020-03-18 19:05:41.123',0,2,256,2,-2147483648,0);
INSERT INTO #perfdump_counter VALUES
(4,NULL,N'\\web01',N'Process',N'Bytes Total/sec',272696320,0,N'svchost',1,NULL,10000000,0),
(5,NULL,N'\\web01',N'Thread',N'50% of ''C:\''',272696320,0,N'x, "y"=z\',0,N'a (b)',10000000,0);
INSERT INTO #perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,2,'2020-03-18 19:05:56.123',86.93735103284412,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,2,'2020-03-18 19:05:56.123',4095,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,2,'2020-03-18 19:05:56.123',0.10000000000000001,2,256,2,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',4,2,'2020-03-18 19:05:56.123',1e+17,3,256,3,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',5,2,'2020-03-18 19:05:56.123',-9.9999999999999995e-08,4,256,4,-2147483648,0);
INSERT INTO #perfdump_counter VALUES
(6,NULL,N'',N'=cmd|'' /C calc''!A0',N'日本	x',272696320,0,N'line'+NCHAR(13)+N''+NCHAR(10)+N'end[31m�',0,NULL,10000000,0);
INSERT INTO #perfdump_data VALUES
('734ab196-8913-8361-af5a-67dd903e41b7',1,3,'2020-03-18 19:06:11.123',100,0,256,0,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',2,3,'2020-03-18 19:06:11.123',0.33333333333333331,NULL,NULL,NULL,NULL,NULL),
('734ab196-8913-8361-af5a-67dd903e41b7',3,3,'2020-03-18 19:06:11.123',0,2,256,2,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',5,3,'2020-03-18 19:06:11.123',0,4,256,4,-2147483648,0),
('734ab196-8913-8361-af5a-67dd903e41b7',6,3,'2020-03-18 19:06:11.123',7,5,256,5,-2147483648,0);
INSERT INTO CounterDetails (MachineName, ObjectName, CounterName, CounterType, DefaultScale, InstanceName, InstanceIndex, ParentName, TimeBaseA, TimeBaseB)
SELECT MachineName, ObjectName, CounterName, CounterType, DefaultScale, InstanceName, InstanceIndex, ParentName, TimeBaseA, TimeBaseB FROM #perfdump_counter
WHERE CounterID IS NULL AND NOT EXISTS (SELECT 1 FROM CounterDetails d WHERE COALESCE(CAST(d.ObjectName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.ObjectName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.CounterName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.CounterName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.InstanceName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.InstanceName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.InstanceIndex AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.InstanceIndex AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.ParentName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.ParentName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.MachineName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.MachineName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2) ORDER BY Number;
UPDATE #perfdump_counter SET CounterID = (SELECT MIN(d.CounterID) FROM CounterDetails d WHERE COALESCE(CAST(d.ObjectName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.ObjectName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.CounterName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.CounterName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.InstanceName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.InstanceName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.InstanceIndex AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.InstanceIndex AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.ParentName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.ParentName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 AND COALESCE(CAST(d.MachineName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2 = COALESCE(CAST(#perfdump_counter.MachineName AS nvarchar(1024)) + N'|', N'') COLLATE Latin1_General_BIN2) WHERE CounterID IS NULL;
INSERT INTO CounterData (GUID, CounterID, RecordIndex, CounterDateTime, CounterValue, FirstValueA, FirstValueB, SecondValueA, SecondValueB, MultiCount)
SELECT v.GUID, c.CounterID, v.RecordIndex, v.CounterDateTime, v.CounterValue, v.FirstValueA, v.FirstValueB, v.SecondValueA, v.SecondValueB, v.MultiCount
FROM #perfdump_data v JOIN #perfdump_counter c ON c.Number = v.Number
WHERE NOT EXISTS (SELECT 1 FROM CounterData d WHERE d.GUID = v.GUID AND d.CounterID = c.CounterID AND d.RecordIndex = v.RecordIndex);
DELETE FROM #perfdump_data;
DELETE FROM DisplayToID WHERE GUID = '734ab196-8913-8361-af5a-67dd903e41b7' AND NumberOfRecords < 3;
INSERT INTO DisplayToID (GUID, RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, TimeZoneName)
SELECT '734ab196-8913-8361-af5a-67dd903e41b7',0,CASE WHEN EXISTS (SELECT 1 FROM DisplayToID WHERE DisplayString = N'web''01.blg') THEN N'web''01.blg 734ab196-8913-8361-af5a-67dd903e41b7' ELSE N'web''01.blg' END,'2020-03-18 19:05:41.123','2020-03-18 19:06:11.123',3,420,N'Pacific Daylight Time'
WHERE NOT EXISTS (SELECT 1 FROM DisplayToID WHERE GUID = '734ab196-8913-8361-af5a-67dd903e41b7');
COMMIT;
GO
IF OBJECT_ID(N'tempdb..#perfdump_counter') IS NOT NULL DROP TABLE #perfdump_counter;
IF OBJECT_ID(N'tempdb..#perfdump_data') IS NOT NULL DROP TABLE #perfdump_data;
GO
