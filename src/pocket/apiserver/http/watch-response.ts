import type { ServerResponse } from 'node:http';
import { stringifyJson, type JsonObject } from '../../../base/index.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { expired, statusOf } from '../errors/index.ts';
import { textOf, type Resource } from '../registry/index.ts';
import { partialObject, Tables } from '../table/index.ts';
import type { EventType, Stored } from '../store/index.ts';
import type { WatchSink } from '../watch/index.ts';
import type { Form } from './negotiate.ts';
import { Outbox } from './outbox.ts';

export interface WatchForm extends Form {
  includeObject: string;
  now: () => number;
}

/** A watch as one JSON document per line of an HTTP answer that does not end. */
export class WatchResponse implements WatchSink {
  readonly #outbox: Outbox;
  readonly #resource: Resource;
  readonly #form: WatchForm;
  readonly #tables: Tables | undefined;

  constructor(response: ServerResponse, resource: Resource, form: WatchForm) {
    this.#outbox = new Outbox(response);
    this.#resource = resource;
    this.#form = form;
    this.#tables = form.as === 'table' ? new Tables(resource, form) : undefined;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
  }

  event(type: EventType, object: Stored, memo?: Map<string, Buffer>): void {
    const make = (): Buffer => Buffer.from(lineOf(type, this.#text(object)));
    if (memo === undefined) {
      this.#outbox.sendWhenRead(make);
      return;
    }
    // A table tells its columns once, so that no two watches send the same.
    const key = this.#tables === undefined ? `${type} ${this.#form.as} ${apiVersionOf(this.#resource)}` : undefined;
    const line = (key === undefined ? undefined : memo.get(key)) ?? make();
    if (key !== undefined) memo.set(key, line);
    this.#outbox.send(line);
  }

  bookmark(rv: number, isEndOfInitial: boolean): void {
    const metadata: JsonObject = {
      resourceVersion: String(rv),
      ...(isEndOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    };
    const object = this.#tables?.ofBookmark(metadata) ?? { ...this.#kindOfObject(), metadata };
    this.#outbox.send(Buffer.from(lineOf('BOOKMARK', stringifyJson(object))));
  }

  expired(message: string): void {
    this.#outbox.send(Buffer.from(lineOf('ERROR', stringifyJson(statusOf(expired(message))))));
    this.end();
  }

  end(): void {
    this.#outbox.end();
  }

  #kindOfObject(): JsonObject {
    if (this.#form.as === 'metadata') {
      return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${this.#form.version}` };
    }
    return { kind: this.#resource.kind, apiVersion: apiVersionOf(this.#resource) };
  }

  #text(object: Stored): string {
    if (this.#tables !== undefined) return stringifyJson(this.#tables.ofEvent(object));
    if (this.#form.as === 'objects') return textOf(this.#resource, object);
    return stringifyJson(partialObject(object, this.#form.version));
  }
}

function lineOf(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
