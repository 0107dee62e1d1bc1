package export_test
import "testing"
func BenchmarkShort(b *testing.B){
 bb:=serverLog(b,60); name:=onDisk(b,bb)
 b.ReportAllocs()
 for b.Loop(){ cookWhole(b,name,"pdh-csv") }
}
func BenchmarkPlain(b *testing.B){
 bb:=serverLog(b,60); name:=onDisk(b,bb)
 all:=wholeValues(b,name)
 b.ReportAllocs()
 for b.Loop(){ plainValues(all) }
}
