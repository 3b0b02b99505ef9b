/* MPI_Ialltoallw with MPI_IN_PLACE, where a rank has nothing for anybody. */
#include "in_place.h"

int main(int argc, char **argv)
{
    return in_place_nothing(1, argc, argv);
}
