import { AppError } from '../../base/index.ts';

export interface OperationName {
  cluster: string;
  /** In lower case: `backup`. */
  kind: string;
  namespace: string;
  name: string;
}

/**
 * `prod.backup.velero.nightly-1`. Only the name, which comes last, may contain dots; dots in the other parts are
 * escaped, so every id is unambiguous. In a URL it is encoded like any other text.
 */
export function formatOperationId({ cluster, kind, namespace, name }: OperationName): string {
  return `${escapeDots(cluster)}.${kind.toLowerCase()}.${escapeDots(namespace)}.${name}`;
}

export function parseOperationId(id: string): OperationName {
  const [cluster, kind, namespace, ...rest] = id.split('.');
  const name = rest.join('.');
  if (!cluster || !kind || namespace === undefined || name === '') {
    throw new AppError('usage', `read operation id ${JSON.stringify(id)}: expected CLUSTER.KIND.NAMESPACE.NAME`);
  }
  return { cluster: unescapeDots(cluster), kind, namespace: unescapeDots(namespace), name };
}

function escapeDots(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('.', '%2E');
}

function unescapeDots(text: string): string {
  return text.replaceAll('%2E', '.').replaceAll('%25', '%');
}
