/** The reason why a machine is not compiled into tables. */
export class NotCompiled extends Error {
  constructor(place: string, what: string) {
    super(`${place} ${what}`);
  }
}
