import type { CredentialSource } from './credentials.ts';

export interface TlsSettings {
  /** PEM; absent means the authorities that Node trusts. */
  ca?: string;
  cert?: string;
  key?: string;
  /** Accepts any certificate. */
  insecure: boolean;
  /** Checked against the certificate instead of the host in the URL. */
  serverName?: string;
}

/** One server as one user: everything the transport needs, read and validated. */
export interface Connection {
  /** For messages: `context "prod" of /home/me/.kube/config`. */
  label: string;
  /** Shown in messages instead of server and label, for readers who need not know where the cluster is. */
  alias?: string;
  /** The context's own name; absent in a pod. */
  context?: string;
  /** Includes the path below which the API is served, if any; no trailing slash. */
  server: string;
  /** The namespace for objects that name none. */
  namespace: string;
  tls: TlsSettings;
  /** The URL of the proxy to go through. */
  proxy?: string;
  /**
   * Whether large answers are requested in gzip. It helps on a slow connection and costs both ends more time than it
   * saves on a fast one (docs/adr/0014). Default: true, unless the server is on this machine.
   */
  compress?: boolean;
  credentials: CredentialSource;
  /** Sent with every request, for impersonation. */
  headers: Readonly<Record<string, string | string[]>>;
}
