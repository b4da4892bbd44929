export function schemaText(): Promise<string>;
export const SCHEMA_FILE: URL;
