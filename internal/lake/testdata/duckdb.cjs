// Runs statements of DuckDB, and prints the rows of the last one and how many bytes were read.
const { readFileSync } = require('fs')
const { DuckDBInstance } = require('@duckdb/node-api')

const read = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io'))[1])
const main = async () => {
  const db = await (await DuckDBInstance.create()).connect()
  await db.run('SELECT 1')
  const before = read()
  const answer = await db.runAndReadAll(process.argv[2])
  console.log(JSON.stringify({ Read: read() - before, Rows: answer.getRowsJson() }))
}
main()
