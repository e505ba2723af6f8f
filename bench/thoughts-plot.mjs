// The bench's results as SVG: for each task and method the errors of all rows as a box, and below it
// the model calls.

const COLUMN = 56;
const HEIGHT = 220;
const LEFT = 48;
const TOP = 40;

const quantile = (sorted, q) => {
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at % 1);
};

/** The picture's text. */
export function plotOf(results) {
  const tasks = [...new Set(results.map(({ task }) => task))];
  const panels = tasks.map((task) => results.filter((each) => each.task === task));
  let x = 0;
  const drawn = panels.map((rows) => {
    const left = x;
    x += LEFT + rows.length * COLUMN + 24;
    return panel(rows, left);
  });
  const height = TOP + HEIGHT + 64;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${x} ${height}" width="${x}" height="${height}" role="img" aria-label="Errors of each method" font-family="sans-serif" font-size="11">`,
    "<title>Errors of each method on the tasks of the Graph-of-Thoughts paper, simulated model</title>",
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function panel(rows, left) {
  const most = Math.max(1, ...rows.flatMap(({ errors }) => errors));
  const y = (errors) => Math.round((TOP + HEIGHT - (errors / most) * HEIGHT) * 10) / 10;
  const parts = [
    `<text x="${left + LEFT}" y="20" font-size="14">${rows[0].task}: errors of ${rows[0].rows} rows</text>`,
  ];
  for (const tick of [0, most / 2, most]) {
    parts.push(
      `<line x1="${left + LEFT - 4}" x2="${left + LEFT + rows.length * COLUMN}" y1="${y(tick)}" y2="${y(tick)}" stroke="#ddd"/>`,
      `<text x="${left + LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${Math.round(tick * 10) / 10}</text>`,
    );
  }
  rows.forEach(({ method, errors, modelCalls, solved }, i) => {
    const sorted = [...errors].sort((a, b) => a - b);
    const [low, first, middle, third, high] = [0, 0.25, 0.5, 0.75, 1].map((q) =>
      y(quantile(sorted, q)),
    );
    const x = left + LEFT + i * COLUMN + COLUMN / 2;
    const colour = method === "got" ? "#7fbf7f" : "#9fb8d8";
    parts.push(
      `<line x1="${x}" x2="${x}" y1="${low}" y2="${high}" stroke="#555"/>`,
      `<rect x="${x - 16}" y="${third}" width="32" height="${Math.max(1, first - third)}" fill="${colour}" stroke="#555"/>`,
      `<line x1="${x - 16}" x2="${x + 16}" y1="${middle}" y2="${middle}" stroke="#000" stroke-width="2"/>`,
      `<text x="${x}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${method}</text>`,
      `<text x="${x}" y="${TOP + HEIGHT + 34}" text-anchor="middle" fill="#555">${Math.round(modelCalls)} calls</text>`,
      `<text x="${x}" y="${TOP + HEIGHT + 50}" text-anchor="middle" fill="#555">${solved} solved</text>`,
    );
  });
  return `<g>${parts.join("")}</g>`;
}
