export function until(holds: () => Promise<boolean> | boolean, tries?: number): Promise<void>;
