/**
 * Talking to pods through the API server: logs, commands, terminals, ports; over websockets.
 * It must never know how a pod runs; that is the node's, behind `PodConnections`.
 */
export { carryTalk, CHANNEL_PROTOCOLS } from './channels.ts';
export { chooseContainer } from './choose-container.ts';
export { drained } from './drained.ts';
export { logQuery } from './log-query.ts';
export { carryPorts } from './port-channels.ts';
export { PortTunnel, TUNNEL_PROTOCOL } from './spdy/port-forward.ts';
export type { LogQuery, PodConnections, Talk, TalkEnd, TalkQuery } from './ports.ts';
