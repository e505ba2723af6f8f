/**
 * `reckoner/pictures`: draws charts, agents, thoughts, decisions and traces as SVG, Mermaid and JSON.
 */

export { agentPicture, type DrawnAgent } from "./agent.js";
export {
  type Charted,
  type ChartPictureOptions,
  type ChartValue,
  chartPicture,
} from "./chart.js";
export {
  type DrawnEdge,
  type DrawnNode,
  decisionsPicture,
} from "./decisions.js";
export type {
  EdgeLook,
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureGroup,
  PictureKind,
  PictureNode,
  PictureOptions,
  PictureRow,
  Shape,
  Tone,
} from "./picture.js";
export type { SvgTheme } from "./svg-style.js";
export { type ThoughtsPictureOptions, thoughtsPicture } from "./thoughts.js";
export { toJson } from "./to-json.js";
export { toMermaid } from "./to-mermaid.js";
export { type SvgOptions, toSvg } from "./to-svg.js";
export { type TracePictureOptions, tracePicture } from "./trace.js";
export { type PictureFormat, writePicture } from "./write.js";
