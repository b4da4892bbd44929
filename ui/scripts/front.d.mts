export interface Front {
  address: string;
  close(): Promise<void>;
}

/** Null unless a folder is named. */
export function frontOf(desk: string): Promise<Front | null>;
