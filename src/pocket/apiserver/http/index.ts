/**
 * The API over HTTP: routes, content types, authentication, bodies and streams.
 * It must never decide what a write means; that is the registry's.
 */
export { Authenticator } from './authenticator.ts';
export { HttpServer, type Credentials } from './http-server.ts';
