// One row of the bench in a process of its own: `node --expose-gc bench/row.mjs NAME OPTIONS`.
const [name, options] = process.argv.slice(2);
const { measure } = await import(`./rows/${name}.mjs`);
process.stdout.write(JSON.stringify(await measure(JSON.parse(options))));
