// What callers write for functions takes `undefined` for whatever may be left out, also under
// exactOptionalPropertyTypes: `run(agent, prompt, { signal: request.signal })`, where it may be none.
import { expect, it } from "vitest";
import { writtenTypes } from "../support/optional-parts.js";

/** What is no options object, though functions are given it. */
const exempt: { readonly [why: string]: readonly string[] } = {
  "it is JSON, and recorded: messages, events, directives, operations, inputs": [
    "core/decisions/vocabulary/edge.ts: DecisionEdge",
    "core/decisions/vocabulary/node.ts: DecisionNode",
    "core/decisions/vocabulary/operation.ts: DecideOption",
    "core/decisions/vocabulary/operation.ts: Stamped",
    "core/decisions/vocabulary/operation.ts: Supersede",
    "core/decisions/vocabulary/operation.ts: UpdateNode",
    "core/kernel/vocabulary/context-update.ts: ToolReturn",
    "core/kernel/vocabulary/directive.ts: ApprovalDirective",
    "core/kernel/vocabulary/directive.ts: LlmDirective",
    "core/kernel/vocabulary/directive.ts: NotifyDirective",
    "core/kernel/vocabulary/directive.ts: ResponseFormat",
    "core/kernel/vocabulary/directive.ts: RunDirective",
    "core/kernel/vocabulary/directive.ts: ToolDirective",
    "core/kernel/vocabulary/directive.ts: ToolSchema",
    "core/kernel/vocabulary/event.ts: CancelEvent",
    "core/kernel/vocabulary/event.ts: EffectError",
    "core/kernel/vocabulary/event.ts: InterruptEvent",
    "core/kernel/vocabulary/event.ts: LlmFailed",
    "core/kernel/vocabulary/event.ts: LlmSucceeded",
    "core/kernel/vocabulary/event.ts: RunFailed",
    "core/kernel/vocabulary/event.ts: RunSucceeded",
    "core/kernel/vocabulary/event.ts: Settled",
    "core/kernel/vocabulary/event.ts: StartEvent",
    "core/kernel/vocabulary/event.ts: ToolFailed",
    "core/kernel/vocabulary/event.ts: ToolSucceeded",
    "core/kernel/vocabulary/event.ts: WriteSucceeded",
    "core/kernel/vocabulary/message.ts: AssistantMessage",
    "core/kernel/vocabulary/message.ts: BlobPart",
    "core/kernel/vocabulary/message.ts: Citation",
    "core/kernel/vocabulary/message.ts: CustomPart",
    "core/kernel/vocabulary/message.ts: FileMeasures",
    "core/kernel/vocabulary/message.ts: FilePart",
    "core/kernel/vocabulary/message.ts: ImagePart",
    "core/kernel/vocabulary/message.ts: ReasoningFilePart",
    "core/kernel/vocabulary/message.ts: ReasoningPart",
    "core/kernel/vocabulary/message.ts: SourcePart",
    "core/kernel/vocabulary/message.ts: SystemMessage",
    "core/kernel/vocabulary/message.ts: TextPart",
    "core/kernel/vocabulary/message.ts: ToolCallPart",
    "core/kernel/vocabulary/message.ts: ToolMessage",
    "core/kernel/vocabulary/message.ts: ToolResultPart",
    "core/kernel/vocabulary/message.ts: UserMessage",
    "core/kernel/vocabulary/usage.ts: Usage",
    "core/thoughts/context.ts: ThoughtsInput",
  ],
  "the library gives it: states, steps, lines of journals, events of traces, pictures, plans": [
    "core/agent/context.ts: Call",
    "core/agent/context.ts: CallOutcome",
    "core/agent/context.ts: PluginState",
    "core/agent/context.ts: ToolCallRecord",
    "core/decisions/queries/rows.ts: RowRequest",
    "core/journal/difference.ts: Difference",
    "core/journal/line.ts: AskedInterrupt",
    "core/journal/line.ts: ChildMark",
    "core/journal/line.ts: Configuration",
    "core/journal/line.ts: DirectiveRecord",
    "core/journal/line.ts: EndRecord",
    "core/journal/line.ts: EventLine",
    "core/journal/line.ts: FailedMark",
    "core/journal/line.ts: HeaderLine",
    "core/journal/line.ts: ItemsRecord",
    "core/journal/line.ts: MoreLine",
    "core/journal/line.ts: StepProof",
    "core/journal/line.ts: Stored",
    "core/journal/line.ts: UpgradeLine",
    "core/journal/memory.ts: FailedAttempts",
    "core/journal/memory.ts: JournalMemory",
    "core/kernel/machine/chart-text.ts: ChartTransition",
    "core/kernel/machine/state.ts: Ignored",
    "core/kernel/machine/state.ts: RunState",
    "core/kernel/machine/state.ts: Step",
    "core/kernel/vocabulary/tool.ts: Tool",
    "core/thoughts/context.ts: Failure",
    "core/thoughts/graph/thought.ts: Edge",
    "core/thoughts/graph/thought.ts: Thought",
    "core/thoughts/policies/policy.ts: Policy",
    "core/trace/queries/assemble.ts: TracedRun",
    "core/trace/queries/session.ts: TraceEventNode",
    "core/trace/sources/recorded-request.ts: SourceLines",
    "core/trace/trace-event.ts: TraceEvent",
    "pictures/chart.ts: ChartState",
    "pictures/decisions.ts: DecisionNodeData",
    "pictures/picture.ts: NodeLook",
    "pictures/picture.ts: PictureEdge",
    "pictures/picture.ts: PictureGroup",
    "pictures/picture.ts: PictureNode",
    "pictures/trace.ts: TraceEventData",
    "runtime/time-travel/timeline.ts: TimelineEntry",
  ],
  "it is implemented, often by a class: its methods are there or are not": [
    "adapters/postgres/client.ts: PostgresClient",
    "core/agent/spec.ts: Behaviour",
    "core/agent/spec.ts: Plugin",
    "runtime/ports.ts: JournalPort",
    "testing/checking/law.ts: Formula",
  ],
};

it("takes undefined for every option, of every function", () => {
  const written = writtenTypes();
  expect(written.length).toBeGreaterThan(150);
  const strict = written.filter((each) => each.strict.length > 0);
  const exempted = new Set(Object.values(exempt).flat());
  // Mended by `?: T | undefined`; where it is no options object, by a line above.
  const faults = strict.filter(({ type }) => !exempted.has(type));
  expect(faults.map((each) => `${each.type}: ${each.strict.join(", ")} (${each.by})`)).toEqual([]);
  // A line above that nothing needs is taken out.
  expect([...exempted].sort()).toEqual(strict.map(({ type }) => type));
});
