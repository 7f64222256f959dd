# One image for the server, the bots and every command. PYTHON may name another image of the same Python.
ARG PYTHON=python:3.13.16-slim-trixie

FROM ${PYTHON} AS build
WORKDIR /srv
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock ./
# Wheels only, for there is no compiler here; http-ece has none and needs none.
RUN pip install --quiet --no-deps --only-binary=:all: --no-binary=http-ece -r requirements.lock && pip check
COPY app ./app
RUN python -m compileall -q app

FROM ${PYTHON}
RUN useradd --system --uid 10001 --home-dir /srv --shell /usr/sbin/nologin semiramis \
 && install --directory --owner=semiramis --mode=0700 /srv/var
WORKDIR /srv
# Nothing of it but var/ belongs to the user that runs it.
COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv/app ./app
COPY migrations ./migrations
COPY templates ./templates
COPY static ./static
COPY pyproject.toml README.md LICENSE ./
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 SEMIRAMIS_VAR=/srv/var \
    SEMIRAMIS_ENVIRONMENT=production SEMIRAMIS_LOG_FORMAT=json
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "app", "serve", "--host", "0.0.0.0", "--port", "8000", "--no-bots"]
