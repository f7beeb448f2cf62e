import type { ServerResponse } from 'node:http';
import { stringifyJson, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { expired, statusOf } from '../errors/index.ts';
import { textOf, type Resource } from '../registry/index.ts';
import { partialObject, Tables } from '../table/index.ts';
import type { EventType, Stored } from '../store/index.ts';
import type { WatchSink } from '../watch/index.ts';
import type { Form } from './negotiate.ts';

/** A client that leaves this much unread is cut off; it comes back and goes on from what it has seen. */
const MOST_UNREAD_BYTES = 4 * 1024 * 1024;

export interface WatchForm extends Form {
  includeObject: string;
  now: () => number;
}

/** A watch as one JSON document per line of an HTTP answer that does not end. */
export class WatchResponse implements WatchSink {
  readonly #response: ServerResponse;
  readonly #resource: Resource;
  readonly #form: WatchForm;
  readonly #tables: Tables | undefined;

  constructor(response: ServerResponse, resource: Resource, form: WatchForm) {
    this.#response = response;
    this.#resource = resource;
    this.#form = form;
    this.#tables = form.as === 'table' ? new Tables(resource, form) : undefined;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
  }

  event(type: EventType, object: Stored, memo: Map<string, Buffer>): void {
    if (this.#tables !== undefined) {
      this.#write(Buffer.from(lineOf(type, stringifyJson(this.#tables.ofEvent(object)))));
      return;
    }
    const key = `${type} ${this.#form.as} ${this.#resource.group}/${this.#resource.version}`;
    const line = memo.get(key) ?? Buffer.from(lineOf(type, this.#text(object)));
    memo.set(key, line);
    this.#write(line);
  }

  bookmark(rv: number, isEndOfInitial: boolean): void {
    const metadata: JsonObject = {
      resourceVersion: String(rv),
      ...(isEndOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    };
    const object = this.#tables?.ofBookmark(metadata) ?? { ...this.#kindOfObject(), metadata };
    this.#write(Buffer.from(lineOf('BOOKMARK', stringifyJson(object))));
  }

  expired(message: string): void {
    this.#write(Buffer.from(lineOf('ERROR', stringifyJson(statusOf(expired(message))))));
    this.end();
  }

  end(): void {
    this.#response.end();
  }

  #kindOfObject(): JsonObject {
    if (this.#form.as === 'metadata') {
      return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${this.#form.version}` };
    }
    return { kind: this.#resource.kind, apiVersion: apiVersionOf(this.#resource) };
  }

  #text(object: Stored): string {
    if (this.#form.as === 'objects') return textOf(this.#resource, object);
    return stringifyJson(partialObject(object, this.#form.version));
  }

  #write(line: Buffer): void {
    if (this.#response.writableLength + line.length > MOST_UNREAD_BYTES && this.#response.writableLength > 0) {
      this.#response.destroy();
      return;
    }
    this.#response.write(line);
  }
}

function lineOf(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
