/** Shows the request of a model call in the studio, block by block, each with its source in the margin. */
import { useState } from "preact/hooks";
import type { Json } from "../../core/kernel/values/index.js";
import { countText, requestOf, type ShownBlock } from "../model/index.js";
import { Fault } from "./parts.js";
import { brief, briefBoth, briefValue, LongText, Value } from "./text.js";
import { attempt, SourceView, type WhyProps } from "./why-view.js";

export function RequestView({ tree, event, choose, showRequest }: WhyProps) {
  const [all, setAll] = useState(false);
  const request = attempt(() => requestOf(tree, event));
  if (typeof request === "string") return <Fault text={request} />;
  const { blocks, previous, gone, changedParts, parts } = request;
  const same = blocks.filter(({ change }) => change === "same").length;
  const shown =
    all || previous === undefined ? blocks : blocks.filter(({ change }) => change !== "same");
  return (
    <section class="request" aria-label="What the model was shown">
      <p>
        {previous === undefined ? (
          `The first call of the run: ${countText(blocks.length, "block")}.`
        ) : (
          <>
            {`${countText(blocks.length, "block")}, of which ${same} are as in `}
            <button
              type="button"
              class="link"
              onClick={() => showRequest(previous.id, request.seq)}
            >
              {previous.directive}
            </button>
            {"; "}
            <button type="button" onClick={() => setAll(!all)}>
              {all ? "show what is new" : "show all"}
            </button>
          </>
        )}
      </p>
      {changedParts.map(({ name, before, now }) => (
        <p key={name} class="changed">
          <code>{name}</code>: {briefBoth(before, now).join(" → ")}
        </p>
      ))}
      {Object.entries(parts).map(([name, value]) => (
        <p key={name} class="quiet">
          <code>{name}</code> {briefValue(value)}
        </p>
      ))}
      {shown.map((block) => (
        <Block key={block.path} block={block} choose={choose} />
      ))}
      {gone.map(({ path, value }) => (
        <div key={`gone ${path}`} class="block gone">
          <div class="margin">
            <code>{path}</code>
            <span>not shown any more</span>
          </div>
          <BlockValue path={path} value={value} />
        </div>
      ))}
    </section>
  );
}

interface BlockProps {
  readonly block: ShownBlock;
  readonly choose: (event: string, seq: number) => void;
}

function Block({ block, choose }: BlockProps) {
  const { path, role, value, sources, change, before } = block;
  return (
    <div class={`block ${change ?? ""}`}>
      <div class="margin">
        <code>{role ?? path.replace(/\[.*/, "")}</code>
        {change !== undefined && change !== "same" && <strong>{change}</strong>}
        {sources.map((source, i) => (
          <SourceView key={`${source.words} ${i}`} source={source} choose={choose} />
        ))}
      </div>
      <div class="body">
        <BlockValue path={path} value={value} />
        {before !== undefined && (
          <details>
            <summary>before</summary>
            <BlockValue path={path} value={before} />
          </details>
        )}
      </div>
    </div>
  );
}

/** A block as a person reads it: a text, a call, a result, a tool's definition. */
function BlockValue({ path, value }: { readonly path: string; readonly value: Json }) {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return <Value value={value} />;
  const { type, text, toolName, input, output, name, description } = value as {
    readonly [part: string]: Json;
  };
  if (type === "text" && typeof text === "string") return <LongText text={text} />;
  if (type === "tool-call") {
    return (
      <>
        <p class="quiet">calls {brief(String(toolName))}</p>
        <Value value={input} />
      </>
    );
  }
  if (type === "tool-result") {
    const { value: result } = (output ?? {}) as { readonly value?: Json };
    return (
      <>
        <p class="quiet">result of {brief(String(toolName))}</p>
        <Value value={result ?? output} />
      </>
    );
  }
  if (path.startsWith("tools") && typeof name === "string") {
    return (
      <details>
        <summary>
          <code>{brief(name)}</code> {brief(String(description ?? ""), 120)}
        </summary>
        <Value value={value} />
      </details>
    );
  }
  return <Value value={value} />;
}
