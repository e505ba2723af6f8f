// What has become worse than the baseline says.

/** So much of a figure may be lost to noise. */
const MAY_LOSE = 0.2;

/**
 * The figures that have lost more than a fifth.
 * @param ratios what each was, by its id; what the baseline does not know is not compared
 */
export function lost(figures, ratios) {
  return figures.filter(({ id, kept, better, value }) => {
    const was = ratios[id];
    if (!kept || was === undefined) return false;
    return better === "more" ? value < was * (1 - MAY_LOSE) : value > was * (1 + MAY_LOSE);
  });
}
