import type { CredentialSource } from './credentials.ts';

export interface TlsSettings {
  /** PEM; absent means the authorities Node trusts. */
  ca?: string;
  cert?: string;
  key?: string;
  /** Accepts any certificate. */
  insecure: boolean;
  /** Checked against the certificate instead of the host in the URL. */
  serverName?: string;
}

/** One server as one user: everything the transport needs, read and checked. */
export interface Connection {
  /** For messages: `context "prod" of /home/me/.kube/config`. */
  label: string;
  /** What messages say instead of server and label, for readers who need not know where the cluster is. */
  alias?: string;
  /** The context's own name; absent in a pod. */
  context?: string;
  /** With the path below which the API lies, when there is one; no slash at the end. */
  server: string;
  /** Where objects go when none is named. */
  namespace: string;
  tls: TlsSettings;
  /** The URL of the proxy to go through. */
  proxy?: string;
  /**
   * Whether large answers are asked for in gzip. It spares a slow line and costs both ends more time than a fast one
   * saves (docs/adr/0014). Absent: unless the server is on this machine.
   */
  compress?: boolean;
  credentials: CredentialSource;
  /** Sent with every request: impersonation. */
  headers: Readonly<Record<string, string | string[]>>;
}
