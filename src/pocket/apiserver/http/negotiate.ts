import { notAcceptable } from '../errors/index.ts';

/** The form of an answer: the objects, kubectl's table, or only their metadata. */
export interface Form {
  as: 'objects' | 'table' | 'metadata';
  /** The version of meta.k8s.io that a table or metadata is answered in. */
  version: string;
}

const OBJECTS: Form = { as: 'objects', version: '' };
const SERVED = ['application/json'];
const JSON_RANGES = new Set(['application/json', 'application/*', '*/*']);

interface MediaRange {
  type: string;
  parameters: Map<string, string>;
}

/** The first form of the Accept header that is served; answers are always JSON, which every client lists. */
export function negotiate(accept: string | undefined): Form {
  if (accept === undefined || accept === '' || accept === 'application/json') return OBJECTS;
  for (const range of accept.split(',').map(parseRange)) {
    const form = range.parameters.has('as') ? specialForm(range) : JSON_RANGES.has(range.type) ? OBJECTS : undefined;
    if (form !== undefined) return form;
  }
  throw notAcceptable(SERVED);
}

function specialForm({ type, parameters }: MediaRange): Form | undefined {
  const version = parameters.get('v') ?? '';
  const isKnown = type === 'application/json' && parameters.get('g') === 'meta.k8s.io';
  if (!isKnown || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  switch (parameters.get('as')) {
    case 'Table':
      return { as: 'table', version };
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return { as: 'metadata', version };
    default:
      return undefined;
  }
}

/** The version of aggregated discovery the client reads, or undefined for the plain documents. */
export function negotiateDiscovery(accept: string | undefined): string | undefined {
  for (const { type, parameters } of (accept ?? '').split(',').map(parseRange)) {
    if (type !== 'application/json') continue;
    const form = parameters.get('as');
    if (form === undefined) return undefined;
    const version = parameters.get('v') ?? '';
    const isKnown = parameters.get('g') === 'apidiscovery.k8s.io' && (version === 'v2' || version === 'v2beta1');
    if (form === 'APIGroupDiscoveryList' && isKnown) return version;
  }
  return undefined;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const pairs = parameters.map((part): [string, string] => {
    const equals = part.indexOf('=');
    return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  });
  return { type: type.toLowerCase(), parameters: new Map(pairs) };
}
