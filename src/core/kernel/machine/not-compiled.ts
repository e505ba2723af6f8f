/** Why a machine is not compiled into tables: a state uses what only XState itself computes. */
export class NotCompiled extends Error {
  constructor(place: string, what: string) {
    super(`${place} ${what}`);
  }
}
