/* Open MPI: MPI_Type_create_hvector takes a stride of -1 byte for the extent of the type (its internal mark for "none
 * given"), so that bytes in reverse order are written past the end of the buffer. */
#include "fault.h"

int main(int argc, char **argv)
{
    unsigned char here[5] = { 1, 2, 3, 4, 5 }, there[16] = { 0 };
    int right = 1;
    MPI_Datatype reversed;
    MPI_Init(&argc, &argv);
    MPI_Type_create_hvector(5, 1, -1, MPI_BYTE, &reversed);
    MPI_Type_commit(&reversed);
    MPI_Sendrecv(here, 5, MPI_BYTE, 0, 0, there + 8, 1, reversed, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; i++)
        right = right && there[8 - i] == i + 1;
    for (int i = 9; i < 16; i++)
        right = right && there[i] == 0;
    MPI_Type_free(&reversed);
    return verdict(right ? OK : FAULT, "stride_minus_one");
}
