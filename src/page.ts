/**
 * `reckoner/page`: helpers for a web page that shows runs of a host: `sendAgain` repeats requests while the
 * host is away, `refusalIn` reads its refusals, `shown` leaves withdrawn parts out of a message.
 */
export {
  type PageData,
  type PageTools,
  type Refusal,
  refusalIn,
  type SendAgainOptions,
  sendAgain,
  shown,
} from "./serve/page/client.js";
