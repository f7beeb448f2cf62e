import { TrieRouter } from 'hono/router/trie-router';
import { AppError } from '../../base/index.ts';
import type { Route } from '../routes/route.ts';

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export class Router {
  readonly #router = new TrieRouter<Route>();
  readonly #paths = new TrieRouter<Route>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      this.#router.add(route.method, route.path, route);
      this.#paths.add('ANY', route.path, route);
    }
  }

  find(method: string, path: string): Match | undefined {
    const [[found]] = this.#router.match(method === 'HEAD' ? 'GET' : method, path);
    if (found === undefined) return undefined;
    return { route: found[0], params: decoded(found[1] as Record<string, string>) };
  }

  /** The methods that a path takes; none when there is no such path. */
  methodsOf(path: string): string[] {
    const methods = this.#paths.match('ANY', path)[0].map(([{ method }]) => method);
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  }
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (error) {
    throw new AppError('usage', 'read the path: it is not encoded as a URL', { cause: error });
  }
}
