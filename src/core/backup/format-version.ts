/** Velero's format version 1.1.0, which we read and write. */
export const FORMAT_VERSION = '1.1.0';

/** What a backup's status says about its format, whoever wrote it. */
export interface ToldVersion {
  /** The major version as a number; old versions of Velero had only this. */
  version?: unknown;
  formatVersion?: unknown;
}

export interface VersionFinding {
  /** Why the backup must not be read. */
  problem?: string;
  /** Why something in it may be missed. */
  warning?: string;
}

const VERSION = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:[.+-]\S*)?$/;
const MAX_SHOWN = 50;

/** A newer major version may mean anything; a newer minor version only adds to what is known here. */
export function checkFormatVersion(text: string): VersionFinding {
  const [, major, minor = '0'] = VERSION.exec(text) ?? [];
  const [, ourMajor, ourMinor] = VERSION.exec(FORMAT_VERSION) ?? [];
  const shown = JSON.stringify(text.slice(0, MAX_SHOWN));
  if (major === undefined) return { problem: `its format version is ${shown}, expected one such as ${FORMAT_VERSION}` };
  const than = `its format version is ${shown}, newer than ${FORMAT_VERSION}, which this server knows`;
  if (Number(major) > Number(ourMajor)) return { problem: `${than}: it needs a newer Headway` };
  if (major === ourMajor && Number(minor) > Number(ourMinor))
    return { warning: `${than}: what is new in it is not read` };
  return {};
}

export function checkToldVersion({ version, formatVersion }: ToldVersion): VersionFinding {
  const told = [version, formatVersion].filter((each) => typeof each === 'number' || typeof each === 'string');
  const findings = told.filter((each) => each !== '').map((each) => checkFormatVersion(String(each)));
  return (
    findings.find(({ problem }) => problem !== undefined) ?? findings.find(({ warning }) => warning !== undefined) ?? {}
  );
}
