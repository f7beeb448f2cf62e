import type { Agent } from 'node:http';
import type { BodyMemory } from './body-memory.ts';
import type { TlsOptions } from './tls.ts';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's URL, segments already escaped, such as `/api/v1/namespaces/default/pods`. */
  path: string;
  /** An array repeats the key; undefined omits it. */
  query?: Query;
  headers?: Readonly<Record<string, string>>;
  /** Default `application/json`. */
  accept?: string;
  body?: string | Buffer;
  /** Default `application/json`. */
  contentType?: string;
  signal?: AbortSignal;
  /**
   * `request`: from the first byte sent to the last byte received, retries included. `stream`: until the headers
   * arrived. Default 30 s.
   */
  deadlineMs?: number;
  /**
   * Whether it may be sent again although an earlier one may have been carried out. Default: GET, PUT and DELETE yes,
   * POST and PATCH no.
   */
  repeatable?: boolean;
  /** A longer answer (after decompression) is a `tooLarge` error. Default 64 MiB; streams have no limit. */
  maxBytes?: number;
}

interface AnswerHead {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}
export interface KubeAnswer extends AnswerHead {
  text: string;
}
export interface KubeBytes extends AnswerHead {
  /** Owned by the caller, who disposes of it after reading. */
  body: BodyMemory;
}

export interface KubeStream extends AnswerHead {
  /** Throws `unreachable` when the connection breaks, and the signal's reason when it is aborted. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection; does nothing after the first call or after the end. */
  close(): void;
}

/** What a websocket library needs to reach the same server as the same user. */
export interface WebsocketTarget {
  /** `wss://…` or `ws://…`, query included. */
  url: string;
  headers: Readonly<Record<string, string | string[]>>;
  tls: TlsOptions;
  /** Set if the server is reached through a proxy. */
  agent?: Agent;
  /** To be called when the server has refused it. True if another target may have a better one. */
  forgetCredential: () => boolean;
}

/**
 * One server as one user. Only 2xx answers resolve; everything else rejects with an AppError that names method, path
 * and server and has the server's Status in `details.status`, or with the reason of the caller's signal. Credentials,
 * retries and Retry-After are handled inside. `details.maybeDone` is true when the request may have been carried out
 * although its answer was lost.
 */
export interface Transport {
  /** For messages, such as `https://10.0.0.1:6443`. */
  readonly server: string;
  /** For messages: where the connection came from, such as `context "prod" of /home/me/.kube/config`. */
  readonly label: string;
  readonly isAlias?: boolean;
  request(request: KubeRequest): Promise<KubeAnswer>;
  requestBytes(request: KubeRequest): Promise<KubeBytes>;
  stream(request: KubeRequest): Promise<KubeStream>;
  websocketTarget(path: string, query?: Query, signal?: AbortSignal): Promise<WebsocketTarget>;
  close(): Promise<void>;
}

export function encodeQuery(query: Query | undefined): string {
  // Most requests have none.
  if (query === undefined || Object.values(query).every((value) => value === undefined)) return '';
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [String(value)])
      parameters.append(key, one);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
