// The bench's results as SVG, drawn by Vega-Lite: for each task and method the errors of all rows as a
// box, and below it the model calls and the solved rows.
import { parse, View } from "vega";
import { compile } from "vega-lite";

const TITLE = "Errors of each method on the tasks of the Graph-of-Thoughts paper, simulated model";
/** Pixels for a method: the widest line below it fits. */
const STEP = 84;

/** The picture's text. */
export async function plotOf(results) {
  const tasks = [...new Set(results.map(({ task }) => task))];
  const spec = {
    background: "#ffffff",
    padding: 16,
    title: {
      text: TITLE,
      subtitle: "Box: the middle half of the rows; line: all of them; dot: the mean.",
      anchor: "start",
      fontSize: 14,
      offset: 16,
    },
    spacing: 36,
    resolve: { scale: { color: "shared" } },
    hconcat: tasks.map((task) => panel(results.filter((each) => each.task === task))),
    config: { font: "sans-serif", view: { stroke: null } },
  };
  // Warnings are faults of this file: they end the bench.
  const refuse = (...said) => {
    throw new Error(`The plot: ${said.join(" ")}`);
  };
  const logger = Object.fromEntries(
    ["error", "warn", "info", "debug", "level"].map((name) => [name, () => logger]),
  );
  Object.assign(logger, { warn: refuse, error: refuse });
  const { spec: compiled } = compile(spec, { logger });
  const view = new View(parse(compiled), { renderer: "none" }).logger(logger);
  const svg = await view.toSVG();
  view.finalize();
  // What a reader who does not see the picture is told.
  return `${svg.replace(/^<svg ([^>]*)>/, `<svg role="img" $1><title>${TITLE}</title>`)}\n`;
}

function panel(rows) {
  const [{ task, rows: count }] = rows;
  // A category is all that stands below its box, line by line.
  const values = rows.flatMap(({ method, errors, modelCalls, solved }) => {
    const calls = Math.round(modelCalls);
    const said = calls === 1 ? "1 call" : `${calls} calls`;
    const label = [method, said, `${solved} solved`].join("\n");
    return errors.map((error) => ({ label, error, method: method === "got" ? "got" : "other" }));
  });
  return {
    title: {
      text: `${task}: errors of ${count} rows`,
      fontSize: 12,
      anchor: "start",
      frame: "group",
    },
    data: { values },
    width: { step: STEP },
    height: 240,
    encoding: {
      x: {
        field: "label",
        type: "nominal",
        sort: null,
        axis: {
          title: null,
          domain: false,
          ticks: false,
          labelAngle: 0,
          labelPadding: 8,
          labelExpr: "split(datum.value, '\\n')",
        },
      },
      y: {
        field: "error",
        type: "quantitative",
        title: null,
        axis: { domain: false, ticks: false, tickCount: 5, gridColor: "#e4e8ec" },
      },
    },
    layer: [
      {
        mark: { type: "boxplot", extent: "min-max", size: 34, median: { color: "#1f2328" } },
        encoding: {
          color: {
            field: "method",
            type: "nominal",
            legend: null,
            scale: { domain: ["got", "other"], range: ["#7fbf7f", "#9fb8d8"] },
          },
        },
      },
      {
        mark: { type: "point", filled: true, size: 46, color: "#1f2328", opacity: 1 },
        encoding: { y: { aggregate: "mean", field: "error", type: "quantitative" } },
      },
    ],
  };
}
