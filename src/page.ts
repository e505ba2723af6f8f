/** `reckoner/page`: the part of a page that looks at runs of a host. */
export {
  type PageData,
  type PageTools,
  type Refusal,
  refusalIn,
  type SendAgainOptions,
  sendAgain,
  shown,
} from "./serve/page/client.js";
