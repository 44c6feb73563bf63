export { isCoded, isSuccess, limitBody, once, readBody } from './bodies.ts';
export { failureReason, failureText, noRoomText, toRefusal } from './failures.ts';
export { forwardedHeaders, shownHeaders } from './headers.ts';
export { proxyLimits } from './limits.ts';
export { type ProxyDeps, serveOptions, startProxy } from './start-proxy.ts';
export { type CarriedPayment, carryPayment, keepDemand } from './settlements/carried-payment.ts';
export { type DemandPlace, type KeptDemands, openKeptDemands } from './settlements/kept-demands.ts';
export { settleAnswer } from './settlements/record-settlement.ts';
export { enterTarget, findTarget, type RoutableTarget } from './target.ts';
