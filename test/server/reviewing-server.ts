import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson, textAt, type Json, type JsonObject } from '../../src/base/index.ts';

/** What a user may list and watch, by plural, or by `plural@namespace`; `*` is everything. */
export interface ReviewedUser {
  name: string;
  may: readonly string[];
}

/** An API server that answers who somebody is and what they may. Whoever may everything can also try to create. */
export class ReviewingServer implements AsyncDisposable {
  readonly users = new Map<string, ReviewedUser>();
  /** Reviews that were asked, and how many of them at once at most. */
  asked = 0;
  mostAtOnce = 0;
  /** How long each answer takes. */
  delayMs = 0;
  #atOnce = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  static async start(users: Readonly<Record<string, ReviewedUser>> = {}): Promise<ReviewingServer> {
    const server = new ReviewingServer();
    for (const [token, user] of Object.entries(users)) server.users.set(token, user);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const user = this.users.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    const isReview = request.url?.includes('reviews') === true;
    if (isReview) {
      this.asked += 1;
      this.#atOnce += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
      await new Promise((resolve) => setTimeout(resolve, this.delayMs));
      this.#atOnce -= 1;
    }
    const sent = Buffer.concat(chunks).toString();
    const isTry = request.url?.includes('dryRun=All') === true && user?.may.includes('*') === true;
    if (user === undefined) send(response, 401, failure(401, 'Unauthorized'));
    else if (isReview) send(response, 201, review(parseJson(sent) as Json, user));
    else if (isTry) send(response, 201, parseJson(sent) as JsonObject);
    else send(response, 403, failure(403, `User "${user.name}" cannot do that`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function review(asked: Json, { name, may }: ReviewedUser): JsonObject {
  const plural = textAt(asked, 'spec', 'resourceAttributes', 'resource') ?? '';
  const namespace = textAt(asked, 'spec', 'resourceAttributes', 'namespace') ?? '';
  const allowed = ['*', plural, `${plural}@${namespace}`].some((each) => may.includes(each));
  const status = { userInfo: { username: name, groups: [] }, allowed };
  return { ...(asked as JsonObject), status };
}

function failure(code: number, message: string): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message };
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
