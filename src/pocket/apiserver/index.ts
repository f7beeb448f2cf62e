/**
 * A Kubernetes API server on SQLite, as much of it as real clients need.
 * It must never run a controller: it stores, checks, serves and tells.
 */
export { ApiServer } from './api-server.ts';
export { bootstrap } from './bootstrap.ts';
export { createControlClient, type ControlClient } from './client/index.ts';
export { Authenticator, HttpServer } from './http/index.ts';
export { ObjectStore, StoreFile } from './store/index.ts';
export { AccountTokens } from './tokens/index.ts';
export { kubeconfigText, loadCredentials, writePrivate } from './tls/index.ts';
