/** What the stock CLI printed, line by line: without times, ids, versions of Kubernetes, and Headway's own annotations. */
export const plain = (text) =>
  text
    .replaceAll(/^time="[^"]+" /gm, '')
    .replaceAll(/headway\.io\/\S+\n\s+/g, '')
    .replaceAll(/\s*"headway\.io\/[^\n]+/g, '')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \S+/g, 'TIME')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/\b\d{14}\b/g, 'STAMP')
    .replaceAll(/(velero.io\/source-cluster-k8s-(?:gitversion|m\w+-version))(=|": ")[^\s"]+/g, '$1$2…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    // As many dots as it waited seconds, and none where it did not wait.
    .replaceAll(/^\.+$/gm, '')
    .split('\n')
    .map((line) => line.trimEnd())
    // What there is to list differs between clusters; which kinds are listed is tried elsewhere.
    .filter((line) => !/Event|kube-root-ca|EndpointSlice|\/default("|,|\(|$)/.test(line));

/** Runs the CLI and gives its exit code and what it printed. */
export const saying =
  (v) =>
  async (...args) => {
    const { code, out, err } = await v(...args);
    return [code, ...plain(out + err)];
  };

/** Lines without the words of problems, which are Headway's own. */
export const wordless = (lines) => {
  let isProblem = false;
  return lines.filter((line) => {
    if (/^(Warnings|Errors|Validation errors):/.test(line)) isProblem = true;
    else if (line === '') isProblem = false;
    return !isProblem;
  });
};
