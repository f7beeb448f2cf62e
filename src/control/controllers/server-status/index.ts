/**
 * Answers ServerStatusRequests, by which the stock command line sees whether a server is there and which.
 * It must never answer requests of another namespace.
 */
export { createServerStatusController, type ServerStatusOptions } from './server-status-controller.ts';
