import { AppError, isAppError, textAt } from '../../base/index.ts';
import { readListAnswer, toPage, wholePage, type ListAnswer } from './list-answer.ts';
import { collectionPath } from './path.ts';
import type { ListOptions, Page, Target } from './port.ts';
import { attemptAt } from './transport/attempted.ts';
import type { KubeBytes, Transport } from './transport/transport.ts';

const PAGE_ITEMS = 500;
/**
 * Each restart means that a whole pass took longer than the server keeps old versions (etcd compacts every 5 minutes).
 */
const MAX_RESTARTS = 3;
/** How many times fewer items are asked for when a page is too long for an answer. */
const FEWER = 8;

/**
 * Yields pages in order; each page has its own deadline. If the token expires, the list starts over and says so on the
 * first new page. The 410 also offers a token that continues from the same key in the present state. It is not used,
 * because the pages before and after it would show different moments, and nobody could tell which objects were missed
 * in between.
 */
export async function* list(transport: Transport, wanted: Target, options: ListOptions = {}): AsyncGenerator<Page> {
  const target = inItsNamespace(wanted, options.fieldSelector);
  const requests = new PageRequests(transport, target, options);
  let token = options.from;
  let restarts = 0;
  let restarted = false;
  for (;;) {
    let answered: ListAnswer;
    try {
      answered = await requests.page(token);
    } catch (error) {
      if (token === undefined || !isAppError(error, 'gone')) throw error;
      restarts += 1;
      if (restarts > MAX_RESTARTS) throw neverEnds(target, error);
      token = undefined;
      restarted = true;
      continue;
    }
    const next = textAt(answered.head, 'metadata', 'continue') ?? '';
    if (next !== '' && next === token) throw sameTwice(target);
    yield options.isLong === true ? toPage(answered, restarted) : wholePage(answered, restarted);
    restarted = false;
    if (next === '') return;
    token = next;
  }
}

/** Requests pages, with as many items as fit. */
class PageRequests {
  readonly #transport: Transport;
  readonly #target: Target;
  readonly #options: ListOptions;
  /** Items that the next page may have. */
  #limit: number;
  /** Items that a page may have at all; falls when one was too long. */
  #most: number;

  constructor(transport: Transport, target: Target, options: ListOptions) {
    this.#transport = transport;
    this.#target = target;
    this.#options = options;
    this.#most = options.limit ?? PAGE_ITEMS;
    this.#limit = options.firstLimit ?? this.#most;
  }

  async page(token: string | undefined): Promise<ListAnswer> {
    const attempted = attemptAt(this.#transport, 'GET', collectionPath(this.#target));
    const answer = readListAnswer(await this.#shortEnough(token), attempted, this.#target);
    this.#limit = this.#limitAfter(answer);
    return answer;
  }

  /** A page that is longer than an answer may be is asked for again with fewer items, as long as it has several. */
  async #shortEnough(token: string | undefined): Promise<KubeBytes> {
    for (;;) {
      try {
        return await this.#ask(token);
      } catch (error) {
        if (!isAppError(error, 'tooLarge') || this.#limit === 1) throw error;
        this.#limit = Math.max(1, Math.floor(this.#limit / FEWER));
        this.#most = this.#limit;
      }
    }
  }

  #limitAfter({ items, length }: ListAnswer): number {
    const { pageBytes = Infinity } = this.#options;
    const fitting = items.length === 0 ? Infinity : Math.floor((pageBytes * items.length) / length);
    return Math.max(1, Math.min(this.#most, fitting));
  }

  #ask(token: string | undefined): Promise<KubeBytes> {
    const { deadlineMs, labelSelector, fieldSelector, resourceVersion, signal } = this.#options;
    return this.#transport.requestBytes({
      method: 'GET',
      path: collectionPath(this.#target),
      // A continue token contains its own resourceVersion; sending another one with it is an error.
      query: {
        labelSelector,
        fieldSelector,
        limit: this.#limit,
        continue: token,
        resourceVersion: token === undefined ? resourceVersion : undefined,
      },
      ...(signal === undefined ? {} : { signal }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
  }
}

/**
 * A list over all namespaces that selects one of them by field silently loses everything after the first page: the
 * continue token is relative to the namespace but read as relative to the cluster (seen on Kubernetes 1.36.3, kubectl
 * is affected too). PageRequests that namespace for the same is safe.
 */
function inItsNamespace(target: Target, fieldSelector = ''): Target {
  const namespace = /(?:^|,)metadata\.namespace==?([^,=]+)/.exec(fieldSelector)?.[1];
  return target.namespace === undefined && namespace !== undefined ? { ...target, namespace } : target;
}

function sameTwice(target: Target): AppError {
  return new AppError('badAnswer', `list ${collectionPath(target)}: the server gave the same continue token twice`);
}

function neverEnds(target: Target, cause: AppError): AppError {
  const expected = `expected the walk to end before its continue token expires, it expired ${String(MAX_RESTARTS + 1)} times`;
  return new AppError('gone', `list ${collectionPath(target)}: ${expected}; larger pages make the walk shorter`, {
    cause,
  });
}
