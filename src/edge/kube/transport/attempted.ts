/** What was being done, for messages: `GET /api/v1/pods` at a server reached as `context "prod" of ~/.kube/config`. */
export interface Attempted {
  method: string;
  path: string;
  server: string;
  label: string;
  /**
   * Server and label are an alias, because the reader must not see the real ones; the system's own error text would
   * reveal them.
   */
  isAlias?: boolean;
}

export function attemptAt(
  { server, label, isAlias = false }: Pick<Attempted, 'server' | 'label' | 'isAlias'>,
  method: string,
  path: string,
): Attempted {
  return { method, path, server, label, isAlias };
}

/** `GET /version at https://10.0.0.1:6443 (context "prod" of /home/me/.kube/config)`. */
export function describeAttempt({ method, path, server, label }: Attempted): string {
  return `${method} ${path} at ${server} (${label})`;
}
