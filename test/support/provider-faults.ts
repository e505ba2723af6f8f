// What the providers' servers refuse of a request's body, from their documentation and from reports of
// their errors: a second time beside the rules of the adapter, so that a slip here and there differ.

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into as they are
export type Body = any;
export type Fault = (body: Body) => string | undefined;

const blank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";
const first = <T>(all: readonly (T | undefined)[]): T | undefined =>
  all.find((each) => each !== undefined);
const when = (broken: boolean, words: string) => (broken ? words : undefined);

function openSchema(schema: Body): boolean {
  if (Array.isArray(schema)) return schema.some(openSchema);
  if (typeof schema !== "object" || schema === null) return false;
  const names = Object.keys(schema.properties ?? {});
  const isObject = [schema.type].flat().includes("object");
  if (isObject && schema.additionalProperties !== false) return true;
  if (names.some((name) => !schema.required?.includes(name))) return true;
  return Object.values(schema).some(openSchema);
}
const rootFault = (schema: Body) =>
  when(
    schema?.type !== "object" ||
      ["anyOf", "oneOf", "allOf", "enum", "not"].some((word) => word in schema),
    "the schema's root must be of type object",
  );

export const chatFault: Fault = ({ messages, tools = [], tool_choice, response_format, stop }) => {
  let owed: string[] = [];
  const faults: (string | undefined)[] = messages.map((message: Body) => {
    if (message.role === "tool") {
      const due = owed.shift();
      return first([
        when(
          due !== message.tool_call_id,
          `messages with role 'tool' must be a response to a preceding message with 'tool_calls'`,
        ),
        when(typeof message.content !== "string", "a tool's content must be a string"),
        when(message.content.length > 10_000, "a string is too long"),
      ]);
    }
    const unanswered = when(owed.length > 0, "tool_call_ids did not have response messages");
    owed = (message.tool_calls ?? []).map(({ id }: Body) => id);
    const isEmpty = message.content === undefined || message.content?.length === 0;
    return first([
      unanswered,
      when(isEmpty && owed.length === 0, "a message needs content"),
      ...owed.map((id) => when(id === "" || id.length > 40, "string_above_max_length")),
      ...(message.tool_calls ?? []).flatMap(({ function: f }: Body) => [
        when(!/^[a-zA-Z0-9_-]{1,64}$/.test(f.name), "a name does not match the pattern"),
        when(f.arguments === "{}", "the arguments were lost"),
      ]),
    ]);
  });
  const strict = response_format?.json_schema;
  const words = JSON.stringify(messages);
  return first([
    ...faults,
    when(owed.length > 0, "tool_call_ids did not have response messages"),
    when(tool_choice !== undefined && tools.length === 0, "tool_choice is only allowed with tools"),
    when(stop?.length === 0, "stop is too short"),
    ...tools.map(({ function: f }: Body) =>
      first([
        rootFault(f.parameters),
        when(f.strict === true && openSchema(f.parameters), "an open schema is not strict"),
      ]),
    ),
    strict &&
      first([
        rootFault(strict.schema),
        when(
          strict.strict === true && openSchema(strict.schema),
          "'additionalProperties' is required to be supplied and to be false",
        ),
      ]),
    when(
      response_format?.type === "json_object" && !/json/i.test(words),
      "'messages' must contain the word 'json'",
    ),
  ]);
};

export const responsesFault: Fault = ({ input, tools = [], text, store }) => {
  const calls = input
    .filter(({ type }: Body) => type === "function_call")
    .map(({ call_id }: Body) => call_id);
  const outputs = input
    .filter(({ type }: Body) => type === "function_call_output")
    .map(({ call_id }: Body) => call_id);
  const format = text?.format;
  return first([
    when(store !== false, "store must be false"),
    when(new Set(calls).size !== calls.length, "a call_id stands twice"),
    when(calls.join() !== outputs.join(), "no tool output found for a function call"),
    ...calls.map((id: string) =>
      when(id === "" || id.length > 64, "call_id must have 1 to 64 characters"),
    ),
    ...tools.map((t: Body) =>
      first([
        rootFault(t.parameters),
        when(t.strict === true && openSchema(t.parameters), "an open schema is not strict"),
      ]),
    ),
    when(
      format?.strict === true && openSchema(format.schema),
      "'additionalProperties' is required to be supplied and to be false",
    ),
    format?.schema && rootFault(format.schema),
  ]);
};

export const anthropicFault: Fault = ({
  messages,
  system = [],
  tools = [],
  tool_choice,
  output_config,
  output_format,
}) => {
  const seen = new Set<string>();
  let owed: string[] = [];
  const schema = output_config?.format?.schema ?? output_format?.schema;
  const blankBlock = (block: Body): boolean =>
    (block.type === "text" && blank(block.text)) ||
    (typeof block.content === "string" && blank(block.content)) ||
    (Array.isArray(block.content) &&
      (block.content.length === 0 || block.content.some(blankBlock)));
  const faults = messages.map(({ role, content }: Body, i: number) => {
    const results = content
      .filter(({ type }: Body) => type === "tool_result")
      .map((b: Body) => b.tool_use_id);
    const place = content.findIndex(({ type }: Body) => type !== "tool_result");
    const late = content
      .slice(place < 0 ? content.length : place)
      .some(({ type }: Body) => type === "tool_result");
    const unanswered = role === "user" && (late || results.join() !== owed.join());
    if (role === "user") owed = [];
    const calls = content.filter(({ type }: Body) => type === "tool_use");
    if (role === "assistant") owed = calls.map(({ id }: Body) => id);
    const twice = calls.some(({ id }: Body) => seen.has(id) || !seen.add(id));
    return first([
      when(
        content.length === 0 || content.some(blankBlock),
        "text content blocks must contain non-whitespace text",
      ),
      when(
        unanswered,
        "each tool_use block must have a corresponding tool_result block in the next message",
      ),
      when(twice, "tool_use ids must be unique"),
      ...calls.map(({ id, input, name }: Body) =>
        first([
          when(!/^[a-zA-Z0-9_-]{1,64}$/.test(id), "tool_use.id: String should match pattern"),
          when(name.length < 1 || name.length > 200, "a name has 1 to 200 characters"),
          when(
            typeof input !== "object" || input === null || Array.isArray(input),
            "tool_use.input: Input should be an object",
          ),
        ]),
      ),
      when(i === 0 && role !== "user", "the first message must be a user's"),
      when(i === messages.length - 1 && role === "assistant", "must end with a user message"),
      ...content.map((b: Body) =>
        when(b.type === "thinking" && !b.signature, "Invalid signature in thinking block"),
      ),
    ]);
  });
  return first([
    when(messages.length === 0, "at least one message is required"),
    when(
      Array.isArray(system) && system.some(blankBlock),
      "system: text content blocks must be non-empty",
    ),
    ...faults,
    ...tools.map((t: Body) => rootFault(t.input_schema)),
    when(tools.length === 0 && (tool_choice !== undefined || seen.size > 0), "tools are missing"),
    schema && rootFault(schema),
  ]);
};

export const geminiFault: Fault = ({ contents, tools, toolConfig, generationConfig }) => {
  let owed = 0;
  const faults = contents.map(({ role, parts }: Body, i: number) => {
    const calls = parts.filter((p: Body) => p.functionCall).length;
    const responses = parts.filter((p: Body) => p.functionResponse).length;
    const missing = owed !== responses;
    owed = calls;
    return first([
      when(parts.length === 0, "contents.parts must not be empty"),
      when(missing, "the number of function response parts is not that of the function call parts"),
      when(
        calls > 0 && contents[i - 1]?.role !== "user",
        "a function call comes after a user turn",
      ),
      when(i === 0 && role !== "user", "the first content must be a user's"),
      when(i === contents.length - 1 && role === "model", "ending with a model turn"),
      ...parts.map((p: Body) =>
        first([
          when(p.thought === true && !p.thoughtSignature, "a foreign thought"),
          when(
            p.functionCall !== undefined && !/^[a-zA-Z_][\w.:-]{0,63}$/.test(p.functionCall.name),
            "Invalid function name",
          ),
        ]),
      ),
    ]);
  });
  return first([
    ...faults,
    when(tools === undefined && toolConfig !== undefined, "a tool config without tools"),
    when(
      tools !== undefined && generationConfig?.responseMimeType === "application/json",
      "Function calling with a response mime type: 'application/json' is unsupported",
    ),
  ]);
};

export const bedrockFault: Fault = ({ messages, toolConfig, system = [], inferenceConfig }) => {
  const uses = messages.flatMap(({ content }: Body) => content.filter((b: Body) => b.toolUse));
  const results = messages.flatMap(({ content }: Body) =>
    content.filter((b: Body) => b.toolResult),
  );
  return first([
    when(
      messages.length === 0 || messages[0].role !== "user",
      "A conversation must start with a user message",
    ),
    when(messages.at(-1)?.role !== "user", "must end with a user message"),
    when(
      uses.length > 0 && toolConfig === undefined,
      "The toolConfig field must be defined when using toolUse and toolResult content blocks",
    ),
    when(results.length !== uses.length, "Expected toolResult blocks"),
    when(inferenceConfig?.topK !== undefined, "extraneous key [topK] is not permitted"),
    when(
      system.some((b: Body) => blank(b.text)),
      "system text is blank",
    ),
    ...messages.flatMap(({ content }: Body) => [
      when(content.length === 0, "content is empty"),
      ...content.flatMap((b: Body) => [
        when(blank(b.text), "the text field is blank"),
        ...(b.toolResult?.content ?? []).map((c: Body) =>
          when(blank(c.text), "the text field is blank"),
        ),
      ]),
    ]),
    ...uses.map(({ toolUse: u }: Body) =>
      when(
        !/^[\w-]{1,64}$/.test(u.toolUseId) || !/^[a-zA-Z]\w{0,63}$/.test(u.name),
        "toolUseId or name does not match",
      ),
    ),
  ]);
};

export const mistralFault: Fault = ({ messages, tools, tool_choice }) =>
  first([
    ...messages.map((message: Body, i: number) => {
      const before = messages[i - 1]?.role;
      return first([
        when(
          message.role === "user" && before === "tool",
          "Unexpected role 'user' after role 'tool' (3230)",
        ),
        when(message.role === "user" && before === "user", "roles must alternate"),
        when(
          message.role === "assistant" && !message.content && !message.tool_calls,
          "Assistant message must have either content or tool_calls",
        ),
        when(
          message.role === "tool" && /iVBOR|"type":"image/.test(JSON.stringify(message.content)),
          "a tool's content must be text",
        ),
        ...(message.tool_calls ?? []).map(({ id }: Body) =>
          when(
            !/^[a-zA-Z0-9]{9}$/.test(id),
            `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9 (3280)`,
          ),
        ),
      ]);
    }),
    when(tools !== undefined && tool_choice === "none", "garbled text"),
  ]);
