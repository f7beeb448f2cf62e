/**
 * The cluster: configuration, REST, discovery, lists and watches, exec and logs, over our own connections.
 * It must never read the environment by itself, drop a field of an object, or throw an error that is not an AppError.
 */
export type {
  ApiResource,
  CallOptions,
  DeleteOptions,
  Discovery,
  DiscoveryFailure,
  ExecOptions,
  JsonPatchOperation,
  Kube,
  KubeClient,
  KubeMeta,
  KubeObject,
  ListedObject,
  ListOptions,
  LogLine,
  LogOptions,
  NamedTarget,
  Page,
  Patch,
  CreateTextOptions,
  PatchOptions,
  PodTarget,
  Target,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './port.ts';
export { createKubeClient } from './client.ts';
export { listedOn, parsedObject } from './page-items.ts';
export { findKind, findResource } from './discovery/rest-mapping.ts';
export { listContexts, loadConnection, type ConfigDeps, type ConnectionChoice } from './config/load-connection.ts';
export type { Connection } from './config/connection.ts';
export { connectionAs } from './config/connection-as.ts';
export type { TransportDeps } from './transport/undici-transport.ts';
