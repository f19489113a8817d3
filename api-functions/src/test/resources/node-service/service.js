// What a person would write by hand instead of the API: the same rows by the same routes, with prepared statements and a pool,
// without keys, rules, walls between stores or tidy errors. Started with a pool's size and the benchmark's store; says its port.
const { randomBytes } = require("node:crypto");
const fastify = require("fastify")();
const pg = require("pg");

const [clients, store] = process.argv.slice(2);
const pool = new pg.Pool({ max: Number(clients), options: `-c gantry.store=${store}` });
const columns = ["storeId", "id", "createdAt", "updatedAt", "name", "type", "gcode", "description", "compatibilities"];
const found = `from farm.part where "storeId" = $1 and type = $2`;

fastify.get("/v1/parts", async (request) => {
  const { type, limit } = request.query;
  const [page, total] = await Promise.all([
    pool.query({ name: "page", text: `select * ${found} order by name desc, id desc limit $3`, values: [store, type, limit] }),
    pool.query({ name: "total", text: `select count(*)::int as total ${found}`, values: [store, type] }),
  ]);
  return { data: page.rows, meta: { count: page.rows.length, total: total.rows[0].total } };
});

fastify.get("/v1/parts/:id", async (request, reply) => {
  const text = `select * from farm.part where "storeId" = $1 and id = $2`;
  const { rows } = await pool.query({ name: "get", text, values: [store, request.params.id] });
  return rows[0] ?? reply.code(404).send({ error: "no such part" });
});

fastify.post("/v1/macros", async (request, reply) => {
  const { name, type, gcode, description, compatibilities } = request.body;
  const now = new Date();
  const id = randomBytes(12).toString("hex");
  const values = [store, id, now, now, name, type, gcode, description, JSON.stringify(compatibilities)];
  const { rows } = await pool.query({
    name: "create",
    text: `insert into farm."gcodeMacro" ("${columns.join('", "')}") values (${columns.map((_, i) => `$${i + 1}`)}) returning *`,
    values,
  });
  return reply.code(201).send(rows[0]);
});

fastify.listen({ port: 0, host: "127.0.0.1" }).then((address) => console.log(address));
