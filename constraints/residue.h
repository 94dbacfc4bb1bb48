#ifndef CONSTRAINTS_RESIDUE_H
#define CONSTRAINTS_RESIDUE_H
#include "constraints/sas.h"

/* True if the equations of the system, which has no NULL polynomial, have no integer solution
   because they have none modulo a small number: parity and its like. */
bool residues_refute(struct sas sas);

#endif
