/**
 * Answers ServerStatusRequests, with which the stock command line checks whether a server is there and which version.
 * It must never answer requests of another namespace.
 */
export { createServerStatusController, type ServerStatusOptions } from './server-status-controller.ts';
