/** One that was put in as it is typed already, such as `kubectl headway backup get`, stays. */
const COMMAND =
  /(?<![\w./-])(?<!kubectl )headway (?=(?:backup|restore|volume|action|migration|schedule|location|watch|inspect|up|server|install|uninstall|pocket|version|completion)\b)/g;

/** Texts say `headway …`, also those of a server; people copy commands, so they read as this user starts the program. */
export function asTyped(text: string, programName: string): string {
  return text.replaceAll(COMMAND, () => `${programName} `);
}
