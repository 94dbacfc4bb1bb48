// RUN: %treefork verify %s --set records=9,size=11 --set records=1,size=0 --witness %witnesses --device-runs once | FileCheck %s
// CHECK-NOT: skipped: {{.*(exceed|device)}}
// CHECK-NOT: {{^ *0}} verified
// CHECK: {{^[1-9][0-9]*}} verified, 0 failed
// Checksums of records by a table that a region makes. Plain C, as a new user wrote it.
/* CRC-32 and Adler-like sums per record, a table in a global. */
unsigned crc_table[256];
void make_table(void)
{
#pragma scop
    for (int i = 0; i < 256; i++) {
        unsigned c = (unsigned)i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        crc_table[i] = c;
    }
#pragma endscop
}
void crc(long records, int size, const unsigned char (*data)[size], unsigned *restrict sum)
{
#pragma scop
    for (long r = 0; r < records; r++) {
        unsigned c = ~0u;
        for (int i = 0; i < size; i++)
            c = crc_table[(c ^ data[r][i]) & 0xff] ^ (c >> 8);
        sum[r] = ~c;
    }
#pragma endscop
}
