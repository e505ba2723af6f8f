/** True in `npm run verify -- --long`, and where RECKONER_RUNS asks for all runs: what is else a part is then the whole. */
export const isLong: boolean = process.env.RECKONER_RUNS === "1";
