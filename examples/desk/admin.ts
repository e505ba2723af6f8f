/** Behind the desk: what waits for a decision, what each run has cost, and why it did what it did. */
interface Row {
  readonly id: string;
  readonly title?: string;
  readonly status: string;
  readonly words?: string;
  readonly cost?: number;
  readonly usage: { readonly totalTokens: number; readonly requests: number };
  readonly approvals: readonly {
    readonly id: string;
    readonly title: string;
    readonly of?: string;
    readonly subject: unknown;
  }[];
}

const root = document.getElementById("root") as HTMLElement;
const make = (tag: string, ...children: (Node | string)[]) => {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
};
const button = (name: string, does: () => Promise<unknown>) => {
  const made = make("button", name);
  made.onclick = () => does().then(show);
  return made;
};

/** The events of a run: each line says what happened, and what the agent asked for then. */
async function why(id: string) {
  const { lines } = await (await fetch(`/api/runs/${id}/lines`)).json();
  const texts = (lines as string[]).flatMap((text) => {
    const { seq, event, do: asked = [] } = JSON.parse(text);
    if (event === undefined) return [];
    const { type, at: _at, usage: _usage, ...rest } = event;
    const then = asked.map((each: { id?: string }) => each.id).filter(Boolean);
    return [
      `${seq} ${type} ${JSON.stringify(rest).slice(0, 160)}${then.length ? ` → ${then.join(", ")}` : ""}`,
    ];
  });
  document
    .getElementById("why")
    ?.replaceChildren(make("h2", `Run ${id}`), make("pre", texts.join("\n")));
}

let shown = "";
async function show() {
  const text = await (await fetch("/api/runs?limit=20")).text();
  // A table that is made anew under a finger loses the click.
  if (text === shown) return;
  shown = text;
  const { runs } = JSON.parse(text) as { runs: Row[] };
  const rows = runs.map(({ id, title, words, status, cost = 0, usage, approvals }) => {
    const decide = (approval: string, of: string | undefined, approve: boolean) => () =>
      fetch(`/api/runs/${id}/decisions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          approval,
          of,
          approve,
          ...(approve ? {} : { reason: "not this time" }),
        }),
      });
    const waiting = approvals.map(({ id: approval, title: asked, of, subject }) =>
      make(
        "div",
        `${asked} ${JSON.stringify(subject)} `,
        button("Approve", decide(approval, of, true)),
        button("Refuse", decide(approval, of, false)),
      ),
    );
    const money = `${(100 * cost).toFixed(3)} cents, ${usage.totalTokens} tokens in ${usage.requests} requests`;
    const cells = [
      title ?? words ?? id,
      status,
      money,
      make("div", ...waiting),
      button("Why?", () => why(id)),
    ];
    return make("tr", ...cells.map((cell) => make("td", cell)));
  });
  const heads = ["run", "status", "cost", "waits for", ""].map((name) => make("th", name));
  document.getElementById("runs")?.replaceChildren(make("tr", ...heads), ...rows);
}

const [table, story] = [make("table"), make("div")];
table.id = "runs";
story.id = "why";
root.append(table, story);
await show();
setInterval(() => void show(), 1_000);
