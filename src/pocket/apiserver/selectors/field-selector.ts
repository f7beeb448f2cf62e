import { badRequest } from '../errors/index.ts';
import { scalarTextAt, type ApiObject } from '../object/index.ts';

interface Requirement {
  field: string;
  isEqual: boolean;
  value: string;
}

export interface FieldMatch {
  matches(object: Readonly<ApiObject>): boolean;
  /** Set when only one object can match, so that a list or watch need not look at the others. */
  name: string | undefined;
}

const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
];
const EVENT_OBJECT = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const EVENT_FIELDS = [
  ...EVENT_OBJECT.map((field) => `involvedObject.${field}`),
  ...EVENT_OBJECT.map((field) => `regarding.${field}`),
  'reason',
  'reportingComponent',
  'reportingController',
  'source',
  'type',
];

/** What can be selected beside name and namespace, by the store's table. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  pods: POD_FIELDS,
  events: EVENT_FIELDS,
  nodes: ['spec.unschedulable'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  namespaces: ['status.phase', 'name'],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
};
const ALWAYS = ['metadata.name', 'metadata.namespace'];

/** Undefined for the empty selector. `selectable` are the fields a CustomResourceDefinition names. */
export function parseFieldSelector(
  text: string,
  resource: { storage: string; isCustom: boolean; selectable: readonly string[] },
): FieldMatch | undefined {
  const requirements = split(text).map((term) => parseTerm(term, text));
  if (requirements.length === 0) return undefined;
  const own = KNOWN[resource.storage] ?? resource.selectable;
  for (const { field } of requirements) {
    if (ALWAYS.includes(field) || own.includes(field)) continue;
    throw badRequest(
      own.length > 0 || resource.isCustom
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return {
    matches: (object) =>
      requirements.every(({ field, isEqual, value }) => (valueOf(object, field) === value) === isEqual),
    name: requirements.find(({ field, isEqual }) => field === 'metadata.name' && isEqual)?.value,
  };
}

function valueOf(object: Readonly<ApiObject>, field: string): string {
  switch (field) {
    case 'name':
      return object.metadata.name;
    case 'source':
      return scalarTextAt(object, 'source', 'component') || scalarTextAt(object, 'reportingComponent');
    case 'reportingController':
      return scalarTextAt(object, 'reportingComponent');
    case 'status.successful':
      return scalarTextAt(object, 'status', 'succeeded') || '0';
    case 'spec.unschedulable':
    case 'spec.hostNetwork':
      return scalarTextAt(object, ...field.split('.')) || 'false';
    default:
      return scalarTextAt(object, ...field.replace(/^regarding\./, 'involvedObject.').split('.'));
  }
}

/** Terms end at commas; a backslash takes the next character as it is. */
function split(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text.charAt(i) === '\\') i += 1;
    else if (text.charAt(i) === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string, whole: string): Requirement {
  const found = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
  const [, field = '', operator = '', value = ''] = found ?? [];
  if (found === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  return { field, isEqual: operator !== '!=', value: value.replace(/\\([\\,=])/g, '$1') };
}
